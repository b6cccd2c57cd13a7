/** Indexes by which the sweeper finds what is old, and the database what still refers to it. */
export const retentionIndexes = `
  CREATE INDEX device_age ON device(last_seen);
  CREATE INDEX licence_age ON licence(created_at);
  CREATE INDEX payment_age ON payment(told_at);
  CREATE INDEX licence_device_of ON licence_device(device_id);
`;
