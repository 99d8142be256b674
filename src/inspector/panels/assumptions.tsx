import { useRef } from 'preact/hooks';
import type { AssumptionInUse } from '../../protocol/assume.ts';
import { Check, Search } from '../fields.tsx';
import { Action, Badge, Card, Empty, Rich } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { type Route, setQuery } from '../route.ts';
import { control } from '../session.ts';
import { texts } from '../texts.ts';

const t = texts.assumptions;

export const AssumptionsPanel = ({ route }: { readonly route: Route }) => {
  const { query } = route;
  const { value: all } = useQuery('assumptions', (control) => control.assumptions.list());
  const found = all && choose(all, query);
  return (
    <>
      <p class="muted lead">
        <Rich text={t.lead} />
      </p>
      <Card label={t.label}>
        <div class="row ends">
          <Search value={query.q ?? ''} set={(q) => setQuery(route, { q })} />
          <Check
            label={t.usedOnly}
            isOn={query.used === 'yes'}
            set={(isOn) => setQuery(route, { used: isOn ? 'yes' : '' })}
          />
          {all && found && (
            <span class="muted" role="status">
              {texts.common.someOf(found.length, all.length)}
            </span>
          )}
        </div>
        {found?.length === 0 && <Empty>{query.q ? t.noMatch : t.noneUsed}</Empty>}
        <ul class="plain-list assumptions" aria-label={t.title}>
          {found?.map((assumption) => (
            <One key={assumption.id} assumption={assumption} />
          ))}
        </ul>
      </Card>
    </>
  );
};

/** Used assumptions first, by number of uses; the others in the order of the registry. */
const choose = (all: readonly AssumptionInUse[], { q = '', used }: Route['query']): AssumptionInUse[] => {
  const words = q.toLowerCase().split(/\s+/);
  return all
    .filter((one) => {
      const text = [one.id, one.description, one.section, ...one.choices.flat()].join(' ').toLowerCase();
      return (used !== 'yes' || one.used > 0) && words.every((word) => text.includes(word));
    })
    .sort((a, b) => b.used - a.used);
};

const One = ({
  assumption: { id, description, section, choices, value, used, standing },
}: {
  readonly assumption: AssumptionInUse;
}) => {
  const meaning = choices.find(([choice]) => choice === value)?.[1] ?? value;
  const others = choices.filter(([choice]) => choice !== value);
  const heading = useRef<HTMLHeadingElement>(null);
  const set = async (choice: string): Promise<void> => {
    await control.assumptions.set(id, choice);
    heading.current?.focus(); // the button goes
  };
  return (
    <li>
      <div>
        <h2 class="mono" ref={heading} tabIndex={-1}>
          {id}
        </h2>
        <div>{description}</div>
        <small>{t.silent(section)}</small>
      </div>
      <div>
        <Choice value={value} meaning={meaning} />{' '}
        {value !== choices[0]?.[0] && <Badge tone="info">{t.notDefault}</Badge>}
        {others.length > 0 && (
          <div class="muted">
            {t.or}
            {others.map(([other, otherMeaning], index) => (
              <span key={other}>
                {index > 0 && t.orElse}
                <Choice value={other} meaning={otherMeaning} />{' '}
                <Action
                  class="small"
                  run={() => set(other)}
                  done={t.wasSet(id, other)}
                  aria-label={t.setOne(id, other)}
                >
                  {t.set}
                </Action>
              </span>
            ))}
          </div>
        )}
      </div>
      <div>
        {used > 0 ? (
          <Badge tone="warn">{t.used(used)}</Badge>
        ) : (
          <small>{standing ? t.standing : t.unused}</small>
        )}
      </div>
    </li>
  );
};

const Choice = ({ value, meaning }: { readonly value: string; readonly meaning: string }) => (
  <>
    <code class="choice">{value}</code>
    {meaning.startsWith(value) ? meaning.slice(value.length) : ` ${meaning}`}
  </>
);
