import { expect, test } from 'vitest';
import { type Signer, SignerUnavailable } from '#api/foundation/crypto/signing-key.ts';
import { DAY, OURS, useAuditChain } from '#api/test/audit-chain.ts';
import { describeEachDatabase } from '#api/test/databases/describe-each-database.ts';

/** A signer that signs one anchor for each day, as the process of its own does, and whose first answer is lost. */
function createSlowSigner(): Signer {
  const signed = new Map<unknown, string>();
  let answers = 0;
  return {
    ...OURS,
    async sign(typ, claims) {
      const { day } = claims as { day: string };
      const asked = JSON.stringify(claims);
      if ((signed.get(day) ?? asked) !== asked) throw new SignerUnavailable('another anchor of this day was signed');

      signed.set(day, asked);
      answers += 1;
      if (answers === 1) throw new SignerUnavailable('The signer did not answer in time.');
      return OURS.sign(typ, claims);
    },
  };
}

describeEachDatabase('a signature that comes too late', (db) => {
  const chain = useAuditChain(db);

  test('is asked for again for the same anchor, although the chain has gone on, and stops no later day', async () => {
    await chain.append(2);
    chain.time += DAY;
    const service = chain.service(createSlowSigner());
    await expect(service.anchorEndedDays()).rejects.toThrow('The signer did not answer in time.');

    await chain.append(1);
    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 2 }]);

    chain.time += DAY;
    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 3 }]);
    expect(await chain.verifyKept()).toMatchObject({ ok: true });
  });

  test('days after it that had no server go on from that anchor, and not from one before it', async () => {
    await chain.append(1);
    chain.time += DAY;
    await chain.service().anchorEndedDays();
    await chain.append(1);
    chain.time += DAY;
    const service = chain.service(createSlowSigner());
    await expect(service.anchorEndedDays()).rejects.toThrow('The signer did not answer in time.');

    await chain.append(1);
    chain.time += 2 * DAY;

    expect(await service.anchorEndedDays()).toMatchObject([{ lastSeq: 2 }, { lastSeq: 2 }, { lastSeq: 3 }]);
  });
});
