import { Button, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';

interface UndoMessageProps {
  readonly text: string;
  readonly undoMs: number;
  readonly onUndo: () => void;
}

/** What was done, and how long it can be undone. */
export function UndoMessage({ text, undoMs, onUndo }: UndoMessageProps) {
  const [leftS, setLeftS] = useState(Math.round(undoMs / 1000));
  useEffect(() => {
    const timer = setInterval(() => setLeftS((now) => Math.max(0, now - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Text size="sm">{text}</Text>
      <Button size="compact-sm" variant="default" onClick={onUndo}>
        Undo <span aria-hidden="true">&nbsp;({leftS} s)</span>
      </Button>
    </Group>
  );
}
