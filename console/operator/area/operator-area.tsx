import { useEffect } from 'react';
import { ErrorState, Loading, Page } from '../../components/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { AreaLayout } from '../../signed-in/public.ts';
import { FindField } from './find-field.tsx';
import { operatorStore } from './operator-store.ts';
import { SignIn } from './sign-in.tsx';

const sections = [
  { to: '/operator', label: operator.sections.overview },
  { to: '/operator/projects', label: operator.sections.projects },
  { to: '/operator/people', label: operatorDesk.sections.people },
  { to: '/operator/money', label: operatorDesk.sections.money },
  { to: '/operator/deliveries', label: operator.sections.deliveries },
  { to: '/operator/audit', label: operator.sections.audit },
];

export function OperatorArea() {
  const { isKnown, failure, refusal } = operatorStore.useState();
  useEffect(() => void operatorStore.resume(), []);
  if (!isKnown) {
    return (
      <Page title={operator.name}>
        {failure ? (
          <ErrorState error={failure} onRetry={() => void operatorStore.resume()} />
        ) : (
          <Loading height={280} />
        )}
      </Page>
    );
  }
  return (
    <AreaLayout
      store={operatorStore}
      name={operator.name}
      signIn={(isExpired) => (
        <SignIn key={String(isExpired)} store={operatorStore} refusal={refusal} isExpired={isExpired} />
      )}
      above={<FindField />}
      sections={sections}
    />
  );
}
