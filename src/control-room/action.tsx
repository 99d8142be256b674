import { Button, type ButtonProps } from '@mantine/core';
import type { Icon as IconType } from '@tabler/icons-react';
import { type ComponentProps, useState } from 'react';
import { confirm, type Question } from './confirm.tsx';
import { type ActOptions, act } from './notify.tsx';

interface ActionProps extends ActOptions, ButtonProps {
  readonly run: () => Promise<unknown>;
  /** What is asked before, if the action cannot be undone. */
  readonly ask?: Question | undefined;
  /** Stands before the text, or alone; then it needs an `aria-label`. */
  readonly Icon?: IconType | undefined;
}

/** A button for an action on the server. It cannot be pressed again until that has finished. */
export const Action = ({
  run,
  ask,
  done,
  undo,
  fail,
  disabled = false,
  Icon,
  children,
  ...rest
}: ActionProps & Omit<ComponentProps<'button'>, keyof ActionProps | 'onClick'>) => {
  const [isBusy, setBusy] = useState(false);
  const isIdle = isBusy || disabled;
  const onClick = async (): Promise<void> => {
    if (isIdle || (ask && !(await confirm(ask)))) return;
    setBusy(true);
    await act(run, { done, fail, ...(undo !== undefined && { undo }) });
    setBusy(false);
  };
  return (
    // Not `disabled`, which would lose the focus of the pressed button.
    <Button
      variant="default"
      size="xs"
      className="fixed"
      {...(Icon && children && { leftSection: <Icon size={16} aria-hidden /> })}
      {...(!children && { px: 6 })}
      {...rest}
      aria-disabled={isIdle}
      {...(isIdle && { 'data-disabled': true })}
      onClick={onClick}
    >
      {children ?? (Icon && <Icon size={16} aria-hidden />)}
    </Button>
  );
};
