import { Card, Rich } from '../parts.tsx';
import { texts } from '../texts.ts';

const t = texts.faults;

/** Lines to start from. */
export const Help = ({ take }: { readonly take: (line: string) => void }) => (
  <Card title={t.examples}>
    <p class="muted">
      <Rich text={t.help} />
    </p>
    <div class="examples">
      {texts.faultExamples.map(({ title, examples: ofGroup }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {ofGroup.map(({ line, does }) => (
              <li key={line}>
                <button type="button" class="plain" onClick={() => take(line)}>
                  <code>{line}</code>
                </button>
                <small>{does}</small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  </Card>
);
