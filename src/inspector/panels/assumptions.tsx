import type { AssumptionInUse } from '../../protocol/assume.ts';
import { useAsk } from '../ask.ts';
import { Check, Search } from '../fields.tsx';
import { control } from '../live.ts';
import { Badge, Card, Empty, Failure } from '../parts.tsx';
import { type Route, setQuery } from '../route.ts';

export const AssumptionsPanel = ({ route }: { readonly route: Route }) => {
  const { query } = route;
  const { value: all, error } = useAsk(() => control.assumptions.list());
  const found = all && choose(all, query);
  return (
    <>
      <Failure message={error} />
      <p class="muted lead">
        Assumptions decide what the mock answers where the contract is silent. Replies that depend on an
        assumption list it in the header x-mock-assumptions. To choose other values, set{' '}
        <code>assumptions</code> in the scenario or the options.
      </p>
      <Card label="The assumptions">
        <div class="row ends">
          <Search value={query.q ?? ''} set={(q) => setQuery(route, { q })} />
          <Check
            label="Only used assumptions"
            isOn={query.used === 'yes'}
            set={(isOn) => setQuery(route, { used: isOn ? 'yes' : '' })}
          />
          {all && found && (
            <span class="muted" role="status">
              {found.length} of {all.length}
            </span>
          )}
        </div>
        {found?.length === 0 && (
          <Empty>
            {query.q
              ? 'No assumption contains this text.'
              : 'No reply of this session depends on an assumption yet.'}
          </Empty>
        )}
        <ul class="plain-list assumptions" aria-label="Assumptions">
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
  return (
    <li>
      <div>
        <h2 class="mono">{id}</h2>
        <div>{description}</div>
        <small>The contract is silent: {section}</small>
      </div>
      <div>
        <Choice value={value} meaning={meaning} />{' '}
        {value !== choices[0]?.[0] && <Badge tone="info">not the default</Badge>}
        {others.length > 0 && (
          <div class="muted">
            Or{' '}
            {others.map(([other, otherMeaning], index) => (
              <span key={other}>
                {index > 0 && '; or '}
                <Choice value={other} meaning={otherMeaning} />
              </span>
            ))}
          </div>
        )}
      </div>
      <div>
        {used > 0 ? (
          <Badge tone="warn">{used === 1 ? 'used once' : `used ${used} times`}</Badge>
        ) : (
          <small>{standing ? 'applies to every reply, so replies are not marked' : 'not used'}</small>
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
