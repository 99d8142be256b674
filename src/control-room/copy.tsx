import { IconCopy } from '@tabler/icons-react';
import { Action } from './act.tsx';

/**
 * Copies a text. Over plain http from another host, browsers offer no clipboard, so the text is selected and copied as by hand.
 *
 * @throws Error if the browser refuses
 */
export const copy = async (text: string): Promise<void> => {
  // Its type says that it always exists.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) return clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed'; // so that the page does not scroll
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error('The browser does not allow copying here.');
};

interface CopyProps {
  readonly text: string;
  /** What is copied: `Copy as curl`. Default: `Copy`. */
  readonly label?: string;
  /** The same with its name, in a list of several: `Copy the base URL of mine`. */
  readonly 'aria-label'?: string;
}

/** A button that copies a text to the clipboard. */
export const Copy = ({ text, label = 'Copy', ...rest }: CopyProps) => (
  <Action run={() => copy(text)} done="Copied" undo={false} Icon={IconCopy} {...rest}>
    {label}
  </Action>
);

/** Downloads a text as a file. */
export const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text]));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};
