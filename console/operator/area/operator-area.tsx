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
  return (
    <AreaLayout
      store={operatorStore}
      name={operator.name}
      signIn={(isExpired) => <SignIn isExpired={isExpired} />}
      above={() => <FindField />}
      sections={sections}
    />
  );
}
