import { Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { ErrorState, Loading } from '../../components/feedback/public.ts';
import { Page } from '../../components/layout/public.ts';
import { operator, operatorDesk } from '../../messages/public.ts';
import { AreaLayout } from '../../signed-in/public.ts';
import { operatorStore } from './operator-store.ts';
import { SignIn } from './sign-in.tsx';

const sections = [
  { to: '/operator', label: operator.sections.overview },
  { to: '/operator/search', label: operatorDesk.sections.search },
  { to: '/operator/posters', label: operatorDesk.sections.posters },
  { to: '/operator/agents', label: operator.sections.agents },
  { to: '/operator/projects', label: operator.sections.projects },
  { to: '/operator/payments', label: operator.sections.payments },
  { to: '/operator/payouts', label: operator.sections.payouts },
  { to: '/operator/strays', label: operator.sections.strays },
  { to: '/operator/deliveries', label: operator.sections.deliveries },
  { to: '/operator/audit', label: operator.sections.audit },
  { to: '/operator/recovery', label: operator.sections.recovery },
  { to: '/operator/machine', label: operatorDesk.sections.machine },
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
          <Loading>
            <Skeleton height={280} radius="lg" />
          </Loading>
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
      sections={sections}
    />
  );
}
