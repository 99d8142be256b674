import { Button, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { createStore } from './store.ts';

export interface Question {
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  /** The button that does it, such as "Clear the requests". */
  readonly action: string;
}

interface Asked extends Question {
  readonly reply: (isConfirmed: boolean) => void;
}

const asking = createStore({ asked: undefined as Asked | undefined });

/** Asks before what cannot be undone. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    const reply = (isConfirmed: boolean): void => {
      asking.set({ asked: undefined });
      resolve(isConfirmed);
    };
    asking.set({ asked: { ...question, reply } });
  });

/** A dialog that Escape closes. The head that the library makes of a title would be a second banner of the page. */
export const Dialog = ({ title, children, ...rest }: ModalProps) => (
  <Modal withCloseButton={false} {...rest}>
    <Modal.Title fw={600} mb="xs">
      {title}
    </Modal.Title>
    {children}
  </Modal>
);

/** The place where `confirm` asks. */
export const Confirmation = () => {
  const asked = asking.use((state) => state.asked);
  return (
    <Dialog opened={asked !== undefined} onClose={() => asked?.reply(false)} title={asked?.title}>
      <Text>{asked?.text}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={() => asked?.reply(false)}>
          Cancel
        </Button>
        <Button color="red.9" onClick={() => asked?.reply(true)}>
          {asked?.action}
        </Button>
      </Group>
    </Dialog>
  );
};
