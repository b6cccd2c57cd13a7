import type { WebhookSources } from '#api/foundation/webhooks/webhook-sender.ts';

/** Says what webhooks tell of a canary that was halted, by the canary watch or by a person. */
export function describeHalts(): WebhookSources {
  return {
    'canary.halted': {
      kind: 'channel',
      code: 'halted',
      scope: 'unit',
      describe({ detail: { unit, version, reason, by, failed, served } }) {
        const networks = failed === undefined ? null : { failed: Number(failed), served: Number(served) };
        return Promise.resolve({
          unit: String(unit),
          version: String(version),
          reason: String(reason),
          by: String(by),
          networks,
        });
      },
    },
  };
}
