import { Button, FileButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiInput, sameOriginPath } from '../../api/public.ts';
import { describeError } from '../../components/public.ts';
import { posterBrief } from '../../messages/public.ts';
import { ownQuery } from '../account/own-projects.ts';
import { posterApi } from '../account/poster-session.ts';
import classes from './brief-help.module.css';

const text = posterBrief.pictures;
const LIST = 'GET /posters/me/projects/{project_id}/references' as const;
const ADD = 'POST /posters/me/projects/{project_id}/references' as const;
const CONFIRM = 'POST /posters/me/projects/{project_id}/references/{reference_id}/confirm' as const;
const REMOVE = 'DELETE /posters/me/projects/{project_id}/references/{reference_id}' as const;

type Props = { posterId: string; projectId: string | null };

/** The pictures of a draft. The service inspects each one before it is attached. */
export function ReferencePictures({ posterId, projectId }: Props) {
  return (
    <div className={classes.pictures} role="group" aria-label={text.title}>
      <p className={classes.heading}>{text.title}</p>
      <p className={classes.note}>{text.hint}</p>
      {projectId === null ? (
        <p className={classes.note}>{text.notYet}</p>
      ) : (
        <Attached posterId={posterId} projectId={projectId} />
      )}
    </div>
  );
}

function Attached({ posterId, projectId }: Props & { projectId: string }) {
  const params = { project_id: projectId };
  const query = ownQuery(posterId, LIST, { params });
  const { data } = useQuery(query);
  const queries = useQueryClient();
  const [adding, setAdding] = useState<string | null>(null);
  const [failures, setFailures] = useState<string[]>([]);
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey });

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

  async function remove(id: string, name: string) {
    await posterApi
      .call(REMOVE, { params: { ...params, reference_id: id } })
      .catch((error: unknown) => setFailures([text.failed({ name, why: describeError(error).text })]));
    await refresh();
  }

  return (
    <>
      <ul className={classes.grid}>
        {(data?.references ?? []).map(({ id, file_name: name, picture }) => (
          <li key={id}>
            {picture ? (
              <img src={sameOriginPath(picture.thumbnail_url)} alt={name} width={160} height={160} />
            ) : (
              <span className={classes.empty}>{text.waiting}</span>
            )}
            <span className={classes.name} title={name}>
              {name}
            </span>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={text.remove({ name })}
              onClick={() => void remove(id, name)}
            >
              {text.removeButton}
            </Button>
          </li>
        ))}
      </ul>
      <FileButton multiple accept="image/jpeg,image/png,image/webp" onChange={(files) => void add(files)}>
        {(props) => (
          <Button {...props} variant="default" loading={adding !== null}>
            {text.add}
          </Button>
        )}
      </FileButton>
      <p role="status" className={classes.note}>
        {adding === null ? '' : text.adding({ name: adding })}
      </p>
      <Failures failures={failures} />
    </>
  );
}

function Failures({ failures }: { failures: string[] }) {
  return failures.map((failure) => (
    <p key={failure} role="alert" className={classes.failure}>
      {failure}
    </p>
  ));
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
