import { isPlain, splitUnseen } from './visible.ts';

/** A text from outside as it is: no character of it is hidden, and none changes how the text around it reads. */
export const Name = ({ text }: { readonly text: string }) =>
  isPlain(text) ? (
    text
  ) : (
    <bdi>{splitUnseen(text).map((part, at) => (at % 2 === 0 ? part : <span class="sign">{part}</span>))}</bdi>
  );
