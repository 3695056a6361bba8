import { Button, PasswordInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { Page } from '../../components/layout/public.ts';
import { signedIn } from '../../messages/public.ts';
import classes from './sign-in.module.css';

export type SignInText = {
  title: string;
  lead: string;
  label: string;
  hint: string;
  /** Label of the button that reveals the key. */
  show: string;
};

type SignInProps = {
  /** Exchanges the key for a session. @throws ApiError if the service rejects the key */
  store: { open(key: string): Promise<void> };
  text: SignInText;
  isExpired: boolean;
};

/** The sign-in page of an area: one field for its key. */
export function SignIn({ store, text, isExpired }: SignInProps) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(isExpired ? signedIn.expired : null);

  async function open(event: { preventDefault(): void }) {
    event.preventDefault();
    if (key.trim() === '') return setFailure(signedIn.needed);
    setBusy(true);
    setFailure(null);
    try {
      await store.open(key.trim());
    } catch (error) {
      const refused = error instanceof ApiError && error.status === 401;
      setFailure(refused ? signedIn.wrong : describeError(error).text);
      setBusy(false);
    }
  }

  return (
    <Page title={text.title} lead={text.lead}>
      <form className={classes.form} onSubmit={(event) => void open(event)} autoComplete="off">
        <PasswordInput
          label={text.label}
          description={text.hint}
          leftSection={<KeyRound size={18} aria-hidden="true" />}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          error={failure}
          visibilityToggleButtonProps={{ 'aria-label': text.show, 'aria-hidden': false, tabIndex: 0 }}
          size="md"
        />
        <Button type="submit" loading={busy}>
          {signedIn.open}
        </Button>
        <p className={classes.kept}>{signedIn.kept}</p>
      </form>
    </Page>
  );
}
