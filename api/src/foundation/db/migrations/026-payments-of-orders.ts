/** Which order a payment is for. An order may be paid twice, and one of the payments given back. */
export const paymentsOfOrders = `
  ALTER TABLE payment ADD COLUMN order_id TEXT;
  CREATE INDEX payment_order ON payment(order_id) WHERE order_id IS NOT NULL;
`;
