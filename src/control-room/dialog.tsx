// Dialogs: the library needs as much code for them as for all else that the first view shows, so they are loaded after it.
import { Button, Group, Modal, type ModalProps, Text } from '@mantine/core';
import { asking } from './act.tsx';

/** A dialog that Escape closes. Mantine's own header would be a second banner of the page for screen readers. */
export const Dialog = ({ title, children, ...rest }: ModalProps) => (
  <Modal withCloseButton={false} padding={0} {...rest}>
    <Modal.Title fw={600} mb="xs">
      {title}
    </Modal.Title>
    {children}
  </Modal>
);

/** Shows the question that `confirm` asks. */
export const Confirmation = () => {
  const { question, reply } = asking.use((state) => state);
  return (
    <Dialog opened={question !== undefined} onClose={() => reply(false)} title={question?.title}>
      <Text>{question?.text}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" data-autofocus onClick={() => reply(false)}>
          Cancel
        </Button>
        <Button color="red.9" onClick={() => reply(true)}>
          {question?.action}
        </Button>
      </Group>
    </Dialog>
  );
};
