import type { ErrorRequestHandler, Response } from 'express';

/** Answers with plain text. */
export function sendPlainly(res: Response, status: number, text: string): void {
  res.status(status).type('text/plain').send(text);
}

/** Answers an unreadable body with 400 and this plain text. */
export function sayWhenUnreadable(text: string): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    const isUnreadable = thrown instanceof Error && 'status' in thrown && Number(thrown.status) < 500;
    if (!isUnreadable) return next(thrown);

    sendPlainly(res, 400, text);
  };
}
