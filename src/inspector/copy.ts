import { texts } from './texts.ts';

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
  field.className = 'hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  if (!isCopied) throw new Error(texts.common.copyFailed);
};
