import { Button, FileButton } from '@mantine/core';
import { useState } from 'react';
import { type ApiInput, sameOriginPath } from '../../api/public.ts';
import { describeError, Failure } from '../../components/public.ts';
import { posterBrief } from '../../messages/public.ts';
import { type OwnReference, useOwnProject, useRefresh } from '../account/own-projects.ts';
import { posterApi } from '../account/poster-session.ts';
import classes from './brief-help.module.css';

const text = posterBrief.pictures;
const ADD = 'POST /posters/me/projects/{project_id}/references' as const;
const CONFIRM = 'POST /posters/me/projects/{project_id}/references/{reference_id}/confirm' as const;
const REMOVE = 'DELETE /posters/me/projects/{project_id}/references/{reference_id}' as const;

/** The pictures of a draft. The service inspects each one before it is attached. */
export function ReferencePictures({ projectId }: { projectId: string | null }) {
  return (
    <div className="stack" role="group" aria-label={text.title}>
      <p className="strong small">{text.title}</p>
      <p className="soft small">{text.hint}</p>
      {projectId === null ? <p className="soft small">{text.notYet}</p> : <Attached projectId={projectId} />}
    </div>
  );
}

function Attached({ projectId }: { projectId: string }) {
  const params = { project_id: projectId };
  const { data } = useOwnProject(projectId);
  const refresh = useRefresh('GET /posters/me/projects/{project_id}');
  const [adding, setAdding] = useState<string | null>(null);
  const [failures, setFailures] = useState<string[]>([]);

  async function add(files: File[]) {
    setFailures([]);
    for (const file of files) {
      setAdding(file.name);
      await attach(projectId, file).catch((error: unknown) =>
        setFailures((before) => [...before, text.failed({ name: file.name, why: describeError(error).text })]),
      );
    }
    setAdding(null);
    await refresh();
  }

  async function remove({ id, file_name: name }: OwnReference) {
    await posterApi
      .call(REMOVE, { params: { ...params, reference_id: id } })
      .catch((error: unknown) => setFailures([text.failed({ name, why: describeError(error).text })]));
    await refresh();
  }

  return (
    <>
      <ul className={`tiles thumbnails ${classes.pictures}`}>
        {(data?.references ?? []).map((reference) => (
          <Reference key={reference.id} reference={reference} onRemove={() => void remove(reference)} />
        ))}
      </ul>
      <FileButton multiple accept="image/jpeg,image/png,image/webp" onChange={(files) => void add(files)}>
        {(props) => (
          <Button {...props} variant="default" loading={adding !== null}>
            {text.add}
          </Button>
        )}
      </FileButton>
      <p role="status" className="soft small">
        {adding === null ? '' : text.adding({ name: adding })}
      </p>
      {failures.map((failure) => (
        <Failure key={failure}>{failure}</Failure>
      ))}
    </>
  );
}

function Reference({ reference, onRemove }: { reference: OwnReference; onRemove: () => void }) {
  const { file_name: name, picture } = reference;
  return (
    <li className="stack tight">
      {picture ? (
        <img className="picture" src={sameOriginPath(picture.thumbnail_url)} alt={name} width={160} height={160} />
      ) : (
        <span className={`picture soft ${classes.empty}`}>{text.waiting}</span>
      )}
      <span className={classes.name} title={name}>
        {name}
      </span>
      <Button variant="default" size="compact-sm" aria-label={text.remove({ name })} onClick={onRemove}>
        {text.removeButton}
      </Button>
    </li>
  );
}

/** Uploads and confirms a picture. Removes it again if the service does not accept it. @throws ApiError, TypeError */
async function attach(projectId: string, file: File): Promise<void> {
  type Body = ApiInput<typeof ADD>['body'];
  const body = { fileName: file.name, fileType: file.type as Body['fileType'], fileSize: file.size };
  const params = { project_id: projectId };
  const { upload_url: url, reference } = await posterApi.call(ADD, { params, body });
  const target = { params: { ...params, reference_id: reference.id } };
  try {
    const { pathname } = new URL(url);
    const isOwn = pathname.startsWith('/storage/');
    const sent = { method: 'PUT', body: file, headers: { 'content-type': file.type } };
    await fetch(isOwn ? sameOriginPath(url) : url, sent);
    await posterApi.call(CONFIRM, target);
  } catch (error) {
    await posterApi.call(REMOVE, target).catch(() => undefined);
    throw error;
  }
}
