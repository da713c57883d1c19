import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { Snippet } from '../values/snippet.tsx';

interface SecretOnceProps {
  /** `API key`, `Signing secret`. */
  readonly name: string;
  readonly secret: string;
  /** Called when the reader has stored it. Nothing else closes it, so that it is not lost by a stray key. */
  readonly onStored: () => void;
}

/** A secret that is shown once: the service never returns it again. */
export function SecretOnce({ name, secret, onStored }: SecretOnceProps) {
  return (
    <Alert icon={<IconKey size={18} aria-hidden="true" />} title={`${name}: shown once`} color="accent">
      <Stack gap="sm">
        <Text size="sm">Copy it to where it is used. The service cannot show it again.</Text>
        <Snippet code={secret} label={name} />
        <Button size="xs" onClick={onStored} style={{ alignSelf: 'flex-start' }}>
          I have stored it
        </Button>
      </Stack>
    </Alert>
  );
}
