import { useModal, IconButton } from '../../components/public.ts';
import { X } from 'lucide-react';
import { poster } from '../../messages/public.ts';
import classes from './viewer.module.css';

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const dialog = useModal();
  return (
    <dialog ref={dialog} className={classes.help} aria-labelledby="keys" onClose={onClose}>
      <div className={`row ${classes.top}`}>
        <h2 id="keys" className={classes.title}>
          {poster.keys.title}
        </h2>
        <IconButton label={poster.keys.close} onClick={onClose}>
          <X size={20} />
        </IconButton>
      </div>
      <dl className={`stack ${classes.keyList}`}>
        {poster.keys.list.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
