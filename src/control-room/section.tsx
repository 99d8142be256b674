import { Box, Button, Group, Paper, type PaperProps, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface SectionProps extends PaperProps {
  readonly title: string;
  /** What is shown below the title. */
  readonly note?: ReactNode;
  /** What stands beside the title. */
  readonly side?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a panel with a heading. */
export const Section = ({ title, note, side, children, ...rest }: SectionProps) => (
  <Paper component="section" aria-label={title} className="wrap" {...rest}>
    <Group justify="space-between" gap="xs">
      <Title order={2} size="h4" tabIndex={-1}>
        {title}
      </Title>
      {side}
    </Group>
    {note && (
      <Text size="sm" c="dimmed" mt={4}>
        {note}
      </Text>
    )}
    {children}
  </Paper>
);

interface LinesProps {
  readonly label: string;
  /** How many are shown until somebody wants to see all. */
  readonly first?: number;
  readonly children: readonly ReactNode[];
}

/** A list of `Line`s. It takes the focus when the button of a line goes. */
export const Lines = ({ label, first = 8, children }: LinesProps) => {
  const [isWhole, setWhole] = useState(false);
  const text = isWhole ? 'Show less' : `Show all ${children.length}`;
  return (
    <>
      <ul className="plain-list lines" tabIndex={-1} aria-label={label}>
        {isWhole ? children : children.slice(0, first)}
      </ul>
      {children.length > first && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          aria-expanded={isWhole}
          aria-label={`${text}: ${label}`}
          onClick={() => setWhole(!isWhole)}
        >
          {text}
        </Button>
      )}
    </>
  );
};

interface LineProps {
  /** The buttons at its end. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export const Line = ({ actions, children }: LineProps) => (
  <Group component="li" gap="xs" justify="flex-end" align="flex-start" py={8} fz="sm" className="line">
    <Box className="wrap" flex="1 1 220px">
      {children}
    </Box>
    <Group gap={4}>{actions}</Group>
  </Group>
);
