import { Alert, List, Text } from '@mantine/core';
import { Foreign } from '../../text.tsx';
import { useQuery } from '../../use-query.ts';

/** What a stored prompt takes, and what is probably a slip in it. */
export const PromptFacts = ({ id }: { readonly id: string }) => {
  const { value: info } = useQuery(['prompt', id], (own) => own.records.prompts.describe(id));
  if (info === undefined) return null;
  const { variables, partials, versions, warnings } = info;
  const facts = Object.entries({ variables, partials, versions }).filter(([, names]) => names.length > 0);
  return (
    <>
      {facts.map(([title, names]) => (
        <Text key={title} className="wrap">
          {title}: <Foreign text={names.join(', ')} />
        </Text>
      ))}
      {warnings.length > 0 && (
        <Alert variant="default" role="alert" title="Probably a slip">
          <List>
            {warnings.map((warning) => (
              <List.Item key={warning}>
                <Foreign text={warning} />
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
};
