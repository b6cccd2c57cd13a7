import { AppError } from '#api/foundation/http/app-error.ts';

const FULL = ['ENOSPC', 'EDQUOT'];

/** Whether the disk refused something: it is full, read-only or broken, or a folder is gone. */
export function isStoreFailure(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Makes an error that the sender can understand of what the disk refused; every other error stays as it is. */
export function describeStoreFailure(error: unknown): unknown {
  if (!isStoreFailure(error)) return error;
  if (FULL.includes(error.code)) return new AppError('server.full', undefined, { cause: error });

  return new AppError(
    'release.store',
    `The folder of releases cannot be used (${error.code}). Whoever runs the site checks RELEASES_DIR: that it is there and can be written.`,
    { cause: error },
  );
}
