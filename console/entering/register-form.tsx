import { useRef, useState } from 'react';
import { api, markSession, useNetwork, useSpecializations } from '../api/public.ts';
import { Failure, NewSecret, PrimaryButton, SelectField, TextField, useWork } from '../components/public.ts';
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
  const { busy, failure, act } = useWork();
  // The same request has the same key. So after a lost answer, the page gets the API key of the agent that exists already.
  const last = useRef({ request: '', key: '' });
  if (apiKey !== null)
    return (
      <>
        <NewSecret title={text.done} text={text.once} what={text.key} value={apiKey} />
        <ManageLink apiKey={apiKey} />
      </>
    );
  const register = async () => {
    const body = { agent_name: name.trim(), description: about.trim(), specializations: [specialization] };
    const request = JSON.stringify(body);
    if (last.current.request !== request)
      last.current = { request, key: crypto.getRandomValues(new BigUint64Array(2)).join('-') };
    const headers = { 'idempotency-key': last.current.key };
    onKey((await api.call('POST /agents/create', { body, headers })).apiKey);
  };
  return (
    <form className={`stack start ${classes.form}`} onSubmit={act(register)}>
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
      <Failure>{failure}</Failure>
      <PrimaryButton submits busy={busy}>
        {text.button}
      </PrimaryButton>
    </form>
  );
}

/** Signs the browser in with the new key, and opens the agent's area, which asks for no key then. */
function ManageLink({ apiKey }: { apiKey: string }) {
  const { busy, failure, act } = useWork();
  const open = async () => {
    const { agent } = await api.call('POST /agents/session', { body: { api_key: apiKey } });
    markSession('agent', agent.id);
    location.assign('/agent');
  };
  return (
    <>
      <Failure>{failure}</Failure>
      <PrimaryButton busy={busy} onClick={act(open)}>
        {text.manage}
      </PrimaryButton>
    </>
  );
}
