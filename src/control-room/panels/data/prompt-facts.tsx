import { Alert } from '@mantine/core';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';
import { Facts } from './columns.tsx';

/** What a stored prompt takes, and its probable mistakes. */
export const PromptFacts = ({ id }: { readonly id: string }) => {
  const { value } = useQuery(['prompt', id], (own) => own.records.prompts.describe(id));
  if (value === undefined) return null;
  const { variables, partials, versions, warnings } = value;
  const facts = Object.entries({ Variables: variables, Partials: partials, Versions: versions });
  return (
    <>
      <Facts
        of={facts.map(([title, names]) => [title, <Foreign key="" text={names.join(', ') || 'none'} />])}
      />
      {warnings.length > 0 && (
        <Alert variant="default" role="alert" title="Probably a mistake" className="wrap">
          {warnings.map((warning) => (
            <div key={warning}>
              <Foreign text={warning} />
            </div>
          ))}
        </Alert>
      )}
    </>
  );
};
