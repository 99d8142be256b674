import { TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type Route, setQuery } from './route.ts';

/** The search of a panel, which is `q` in its link. The keys / and Ctrl+F go to it. */
export const SearchField = ({ route, ...rest }: { readonly route: Route } & TextInputProps) => (
  <TextInput
    type="search"
    aria-label="Search"
    leftSection={<IconSearch size={16} aria-hidden />}
    value={route.query.q ?? ''}
    onChange={(event) => setQuery(route, { q: event.currentTarget.value })}
    {...rest}
  />
);
