import type { z } from 'zod';
import { DomainError, type ErrorDetail, validationError } from '../../../contract/basics/errors.ts';
import type { missingItem } from '../../../contract/projects/submission-shapes.ts';
import type { ItemFile } from '../types.ts';

type MissingItem = z.input<typeof missingItem>;

/** Returns the items that have no picture, each with the reason. `has` says whether the file of an item counts. */
export function missingItems(files: ItemFile[], itemCount: number, has: (file: ItemFile) => boolean): MissingItem[] {
  const fileOf = new Map(files.map((file) => [file.item, file]));
  return Array.from({ length: itemCount }, (_, index) => index + 1).flatMap((item) => {
    const file = fileOf.get(item);
    return file && has(file) ? [] : [{ item, ...whyMissing(file) }];
  });
}

function whyMissing(file: ItemFile | undefined): Omit<MissingItem, 'item'> {
  if (!file) return { reason: 'no_upload_url', message: 'No upload URL was requested.' };
  if (file.status === 'refused') return { reason: 'refused', message: whyRefused(file) };
  return { reason: 'not_uploaded', message: 'The file was not in storage when the confirmation was requested.' };
}

/** Returns the error for a confirmation that asked for more items than are there and accepted. */
export function incomplete(
  { itemsNeeded, itemCount }: { itemsNeeded: number; itemCount: number },
  missing: MissingItem[],
): DomainError {
  const there = itemCount - missing.length;
  return new DomainError(
    'CONFIRMATION_INCOMPLETE',
    `Nothing was entered: the confirmation needs ${itemsNeeded} items, and the service has ${there}. A new upload URL costs nothing.`,
    { details: missing.map(({ item, message }) => ({ field: `items.${item}`, message })) },
  );
}

/** Returns the error for a confirmation that asked for more items than an earlier request has entered. */
export function enteredWithout(missing: MissingItem[], itemsNeeded: number): DomainError {
  return new DomainError(
    'CONFIRMATION_INCOMPLETE',
    `An earlier request confirmed this entry with fewer than ${itemsNeeded} items. Nothing can be added to it.`,
    { details: missing.map(({ item, message }) => ({ field: `items.${item}`, message })) },
  );
}

/** Returns the error for pictures that the service does not accept. A lone picture is the `file`. */
export function picturesRefused(refused: ItemFile[]): DomainError {
  const isLone = refused.length === 1 && refused[0]?.item === 1;
  return validationError(
    refused.map((file): ErrorDetail => ({ field: isLone ? 'file' : `items.${file.item}`, message: whyRefused(file) })),
  );
}

function whyRefused({ refusedReason }: ItemFile): string {
  return `${refusedReason ?? 'the picture was refused'}. Request a new upload URL; it costs nothing`;
}
