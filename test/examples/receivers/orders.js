const STEPS = {
  'pending request money transfer': 0,
  'processing request money transfer': 1,
  complete: 2,
  expired: 2,
  cancelled: 2,
  canceled: 2, // the contract does not show the spelling
}

/** Returns the order as it is after an event; late, repeated and unknown events change nothing. */
export function applyEvent(order, { type, payload: { status } }) {
  if (type !== 'transaction.update' || !(status in STEPS)) return order
  return STEPS[status] > STEPS[order.status] ? { ...order, status } : order
}
