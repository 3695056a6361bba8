import { Button } from '@mantine/core';
import { useState } from 'react';
import { type ApiData, ApiError } from '../../api/public.ts';
import { Facts } from '../../components/data/public.ts';
import { describeError } from '../../components/feedback/public.ts';
import { timeOf } from '../../format/public.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { CodeField, digitsOf, operatorStore } from '../area/public.ts';
import { CodeSetup, type Secret } from './code-setup.tsx';
import classes from './people.module.css';

type Me = ApiData<'GET /operator/me'>;

const text = operator.operators.own;
const { scopes: SCOPES, columns, on, off } = operator.operators;

/** The key that reads the page, and the codes of its owner. */
export function OwnKey({ me, ask }: { me: Me; ask: (action: Action) => void }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const facts = [
    { label: columns.name, value: me.name ?? text.shared },
    { label: columns.scopes, value: me.scopes.map((scope) => SCOPES[scope]).join(', ') },
    { label: columns.expires, value: me.expires_at === null ? signedIn.never : timeOf(me.expires_at) },
    { label: columns.codes, value: me.codes ? on : off },
  ];
  return (
    <div className={classes.own}>
      <Facts facts={facts} />
      {me.name === null ? <p>{text.sharedText}</p> : null}
      {secret === null || me.codes ? (
        <Codes me={me} ask={ask} onSecret={setSecret} />
      ) : (
        <CodeSetup secret={secret} onDone={() => setSecret(null)} />
      )}
    </div>
  );
}

type CodesProps = { me: Me; ask: (action: Action) => void; onSecret: (secret: Secret) => void };

/** Starts or ends the use of codes. OPERATOR_KEY has none. */
function Codes({ me, ask, onSecret }: CodesProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  if (me.name === null) return null;

  async function enroll() {
    setBusy(true);
    setFailure(null);
    try {
      onSecret(await operatorStore.api.call('POST /operator/me/codes', {}));
    } catch (error) {
      setFailure(describeError(error).text);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className={classes.codes}>
      <p>{me.codes ? text.withCodes : text.withoutCodes}</p>
      {me.codes ? (
        <Button variant="default" onClick={() => ask(removeAction())}>
          {text.remove}
        </Button>
      ) : (
        <Button onClick={() => void enroll()} loading={busy}>
          {text.enroll}
        </Button>
      )}
      {failure === null ? null : (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
    </div>
  );
}

function removeAction(): Action {
  const given = { code: '' };
  return {
    title: text.removeTitle,
    text: (
      <div className={classes.dialog}>
        <p>{text.removeText}</p>
        <CodeField
          error={null}
          onType={(code) => {
            given.code = code;
          }}
        />
      </div>
    ),
    confirm: text.remove,
    destructive: true,
    run: async () => {
      const code = digitsOf(given.code);
      if (code === null) throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: operator.code.invalid });
      return (await operatorStore.api.call('POST /operator/me/codes/remove', { body: { code } })).message;
    },
  };
}
