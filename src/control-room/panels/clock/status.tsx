import { Badge } from '@mantine/core';
import { colorOf } from '../../format.ts';
import { Foreign } from '../../text.tsx';

/** The status of a record. */
export const Status = ({ status }: { readonly status: string }) => (
  <Badge color={colorOf(status)}>
    <Foreign text={status} />
  </Badge>
);
