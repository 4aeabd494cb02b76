const PDF = 'data:application/pdf;base64,JVBERi0xLjcKMSAwIG9iago8PD4+CmVuZG9iago='

/** A business that is taken in. */
export const validKyb = () => ({
  authorized_user_data: {
    address1: '100 Example Street',
    city: 'Toronto',
    dob: '1980-02-29',
    firstName: 'Alice',
    lastName: 'Tremblay',
    occupation: 'Director',
    postal: 'M5V 3L9',
    province: 'ON',
  },
  business_nature: 'Software',
  corporate_phone: '4165550100',
  corporation_address: {
    address1: '100 Example Street',
    city: 'Toronto',
    postal: 'M5V 3L9',
    province: 'ON',
  },
  corporation_base64_url: [{ name: 'articles.pdf', type: 'application/pdf', url: PDF }],
  corporation_email: 'office@example.com',
  corporation_name: 'Example Inc.',
  corporation_number: '1234567',
  date_of_incorp: '2020-02-29',
  incorpCertData: [PDF],
  is_pep: false,
  is_quarter_owner: false,
  list_of_directors: {
    directorEmails: 'alice@example.com',
    directorNames: 'Alice Tremblay',
    directorOccupations: 'Director',
    directorsDOB: '1980-02-29',
  },
  list_of_quarter_owners: {
    quarterOwners: '',
    quarterOwnersDOB: '',
    quarterOwnersEmail: '',
    quarterOwnersOccupation: '',
  },
  msb_reg: false,
  paytrie_email: 'account@example.com',
  purpose: 'payroll',
  source_of_funds: 'business_revenue',
  tpd: false,
})
