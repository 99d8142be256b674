import { Button, CloseButton, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { asking } from './act.tsx';

interface DialogProps {
  readonly title: string;
  readonly close: () => void;
  /** Whether the control room stays in use beside it. */
  readonly isBeside?: boolean;
  readonly children: ReactNode;
}

/** A dialog while it is rendered. Escape closes it, and the focus returns to where it was. */
export const Dialog = ({ title, close, isBeside = false, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (isBeside) dialog?.show();
    else dialog?.showModal();
    return () => dialog?.close();
  }, [isBeside]);
  return (
    <dialog
      ref={element}
      aria-label={title}
      closedby={isBeside ? 'none' : 'any'}
      onCancel={close}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <Group justify="space-between" mb="sm">
        <Title order={2}>{title}</Title>
        {isBeside && <CloseButton aria-label="Close" onClick={close} />}
      </Group>
      {children}
    </dialog>
  );
};

/** Shows the question that `confirm` asks. */
export const Confirmation = () => {
  const { question, reply } = asking.use((state) => state);
  return (
    question && (
      <Dialog title={question.title} close={() => reply(false)}>
        <Text>{question.text}</Text>
        <Group justify="flex-end" mt="md">
          <Button onClick={() => reply(false)}>Cancel</Button>
          <Button variant="filled" color="red.9" onClick={() => reply(true)}>
            {question.action}
          </Button>
        </Group>
      </Dialog>
    )
  );
};
