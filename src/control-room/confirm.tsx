import { Button, Group, Modal, Text } from '@mantine/core';
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

/** The place where `confirm` asks. */
export const Confirmation = () => {
  const asked = asking.use((state) => state.asked);
  return (
    // Not `Modal`: its head would be a second banner of the page.
    <Modal.Root opened={asked !== undefined} onClose={() => asked?.reply(false)}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body p="md">
          <Modal.Title fw={600} mb="xs">
            {asked?.title}
          </Modal.Title>
          <Text>{asked?.text}</Text>
          <Group justify="flex-end" mt="md">
            <Button variant="default" data-autofocus onClick={() => asked?.reply(false)}>
              Cancel
            </Button>
            <Button color="red.9" onClick={() => asked?.reply(true)}>
              {asked?.action}
            </Button>
          </Group>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
};
