/** Where lives begin: two integrators, and one user for each kind of access. */
export const CAST = {
  integrators: [
    { name: 'one', apiKey: 'key-one' },
    { name: 'two', apiKey: 'key-two', actsWithoutToken: true },
  ],
  users: [
    { email: 'alice@example.com', status: 'verified', integrators: ['one', 'two'] },
    {
      email: 'bob@example.com',
      status: 'verified',
      integrators: ['two'],
      accessibleBy: ['jwt', 'apiKey'],
    },
    { email: 'carol@example.com', status: 'in-review', integrators: ['one'] },
  ],
}
