import { Checkbox, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type OperatorScope, operatorScopes } from '../../../contract/basics/operator-scope.ts';
import { peopleOperations } from '../../../contract/operator/operators.ts';
import { operator, signedIn } from '../../messages/public.ts';
import type { Action } from '../../signed-in/public.ts';
import { checkValue, operatorStore } from '../area/public.ts';
import classes from './people.module.css';

/** A new key, which the service shows once. */
export type AddedKey = { name: string; key: string };
type Given = { name: string; scopes: OperatorScope[]; days: string };

const text = operator.operators;
const { name: nameSchema, scopes: scopesSchema, expires_days: daysSchema } = peopleOperations.addOperator.body.shape;
const DAYS = '365';

export function addAction(onAdded: (added: AddedKey) => void): Action {
  const given: Given = { name: '', scopes: [], days: DAYS };
  return {
    title: text.addTitle,
    text: <Fields given={given} />,
    confirm: text.add,
    reason: signedIn.reason,
    run: async (reason) => {
      const { name, scopes } = given;
      checkValue(text.columns.name, nameSchema, name);
      if (scopes.length === 0) checkValue(text.columns.scopes, scopesSchema, scopes);
      const days = Number(given.days);
      checkValue(text.days, daysSchema, days);
      const body = { name, scopes, expires_days: days, reason };
      const { apiKey, operator: row } = await operatorStore.api.call('POST /operator/operators', { body });
      onAdded({ name: row.name, key: apiKey });
      return text.added({ name: row.name });
    },
  };
}

function Fields({ given }: { given: Given }) {
  const [scopes, setScopes] = useState<string[]>(given.scopes);
  return (
    <div className={classes.dialog}>
      <p>{text.addText}</p>
      <TextInput
        label={text.columns.name}
        description={text.nameHint}
        maxLength={32}
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => {
          given.name = event.currentTarget.value.trim();
        }}
      />
      <Checkbox.Group
        label={text.columns.scopes}
        value={scopes}
        onChange={(chosen) => {
          given.scopes = operatorScopes.filter((scope) => chosen.includes(scope));
          setScopes(given.scopes);
        }}
      >
        <div className={classes.scopes}>
          {operatorScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={text.scopes[scope]} description={text.meanings[scope]} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label={text.days}
        description={text.daysHint}
        inputMode="numeric"
        maxLength={3}
        required
        defaultValue={given.days}
        onChange={(event) => {
          given.days = event.currentTarget.value.trim();
        }}
      />
    </div>
  );
}
