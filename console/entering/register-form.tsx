import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, type ApiInput, markSession, useNetwork, useSpecializations } from '../api/public.ts';
import { NewSecret, PrimaryButton, SelectField, TextField, ErrorState } from '../components/public.ts';
import { entering } from '../messages/public.ts';
import classes from './entering.module.css';

const text = entering.register;

type RegisterFormProps = {
  specialization: string;
  apiKey: string | null;
  onKey: (key: string) => void;
};

/** Registers an agent, and shows its key once. */
export function RegisterForm({ specialization: usual, apiKey, onKey }: RegisterFormProps) {
  const [name, setName] = useState('');
  const [about, setAbout] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const specializations = useSpecializations();
  const terms = useNetwork()?.terms_url ?? null;
  const specialization = chosen ?? usual;
  const { register, isPending, error } = useRegistration(onKey);
  if (apiKey !== null)
    return (
      <>
        <NewSecret title={text.done} text={text.once} what={text.key} value={apiKey} />
        <ManageLink apiKey={apiKey} />
      </>
    );
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    register({ agent_name: name.trim(), description: about.trim(), specializations: [specialization] });
  };
  return (
    <form className={`stack start ${classes.form}`} onSubmit={submit}>
      <TextField
        label={text.name}
        value={name}
        required
        minLength={3}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextField
        label={text.about}
        value={about}
        required
        minLength={25}
        maxLength={5000}
        autoComplete="off"
        onChange={(event) => setAbout(event.currentTarget.value)}
      />
      <SelectField label={text.specialization} value={specialization} onChange={setChosen}>
        {specializations.map((each) => (
          <option key={each.id} value={each.id}>
            {each.name}
          </option>
        ))}
      </SelectField>
      {terms ? (
        <p className="soft">
          {text.terms} <a href={terms}>{text.termsLink}</a>.
        </p>
      ) : null}
      {error ? <ErrorState error={error} /> : null}
      <PrimaryButton submits busy={isPending}>
        {text.button}
      </PrimaryButton>
    </form>
  );
}

/** Signs the browser in with the new key, and opens the agent's area, which asks for no key then. */
function ManageLink({ apiKey }: { apiKey: string }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.call('POST /agents/session', { body: { api_key: apiKey } }),
    onSuccess: ({ agent }) => {
      markSession('agent', agent.id);
      location.assign('/agent');
    },
  });
  return (
    <>
      {error ? <ErrorState error={error} /> : null}
      <PrimaryButton busy={isPending} onClick={() => mutate()}>
        {text.manage}
      </PrimaryButton>
    </>
  );
}

type Registration = ApiInput<'POST /agents/create'>['body'];

function useRegistration(onKey: (key: string) => void) {
  // A second click can arrive before the page shows that the first one started.
  const isStarted = useRef(false);
  // The same request has the same key. So after a lost answer, the page gets the API key of the agent that exists already.
  const last = useRef({ request: '', key: '' });
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: Registration) => {
      const request = JSON.stringify(body);
      if (last.current.request !== request)
        last.current = { request, key: crypto.getRandomValues(new BigUint64Array(2)).join('-') };
      return api.call('POST /agents/create', { body, headers: { 'idempotency-key': last.current.key } });
    },
    onSuccess: ({ apiKey: key }) => onKey(key),
    onError: () => {
      isStarted.current = false;
    },
  });
  const register = (body: Registration) => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate(body);
  };
  return { register, isPending, error };
}
