import { Stack, Textarea, TextInput } from '@mantine/core';
import { ScopePicker } from './scope-picker.tsx';

/** What a person can enter about a client when it is created and later. */
export interface ClientFieldsValue {
  readonly name: string;
  readonly uri: string;
  readonly redirectUris: string;
  readonly scopes: readonly string[];
  readonly jwks: string;
}

interface ClientFieldsProps {
  readonly value: ClientFieldsValue;
  readonly onChange: (change: Partial<ClientFieldsValue>) => void;
  readonly hasRedirects: boolean;
  readonly hasKeys: boolean;
}

export function ClientFields({ value, onChange, hasRedirects, hasKeys }: ClientFieldsProps) {
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="People see this name when they are asked to allow access."
        maxLength={100}
        autoComplete="off"
        value={value.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {hasRedirects && (
        <Textarea
          label="Redirect URIs"
          description="Where the browser returns to, one in each line. Compared exactly; http://127.0.0.1 accepts any port."
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          value={value.redirectUris}
          onChange={(event) => onChange({ redirectUris: event.currentTarget.value })}
        />
      )}
      {hasRedirects && (
        <TextInput
          label="Home page"
          description="Optional. Shown beside the name; https only."
          type="url"
          value={value.uri}
          onChange={(event) => onChange({ uri: event.currentTarget.value })}
        />
      )}
      {hasKeys && (
        <Textarea
          label="Public keys (JWKS)"
          description="The public half of the keys with which the client signs. The service stores no secret then."
          placeholder={'{ "keys": [{ "kty": "EC", … }] }'}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          value={value.jwks}
          onChange={(event) => onChange({ jwks: event.currentTarget.value })}
        />
      )}
      <ScopePicker value={value.scopes} onChange={(scopes) => onChange({ scopes })} />
    </Stack>
  );
}

/** Reads the keys that a person pasted. Throws an Error with words for that person. */
export function parseKeys<Keys>(text: string): Keys {
  try {
    return JSON.parse(text) as Keys;
  } catch {
    throw new Error('The public keys are not JSON. Paste an object with the member "keys".');
  }
}
