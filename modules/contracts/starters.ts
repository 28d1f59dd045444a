/** Texts that a new template can begin with. No legal advice: coaches have them checked. */
export const starters = {
  agreement: {
    name: 'Coaching agreement',
    body: `This agreement is between {{practice name}} (the coach) and {{client name}} (the client), of {{date}}.

1. Coaching
The coach supports the client in reaching goals that the client chooses. Coaching is no therapy, and no legal, medical or financial advice.

2. Sessions
Sessions are held as booked. The client can move or cancel a session up to 24 hours before it begins. A session that is cancelled later is charged.

3. Confidentiality
The coach tells nobody what is discussed, unless the law asks for it or the client agrees.

4. Ending
Either side can end this agreement at any time in writing. Sessions that were held are paid.`,
  },
  package: {
    name: 'Package of sessions',
    body: `{{client name}} buys {{product}} from {{practice name}} for {{price}}, on {{date}}.

1. Payment
The price is paid before the first session, unless an invoice says otherwise.

2. Sessions
The sessions are used within twelve months. A session that is cancelled less than 24 hours before it begins counts as held.

3. Refund
Sessions that were not used are refunded if {{coach name}} ends the package. Questions go to {{coach email}}.`,
  },
  recordings: {
    name: 'Consent to recordings',
    body: `{{client name}} agrees that {{practice name}} records sessions to write summaries of them.

Recordings are deleted once the summary is made. The client can withdraw this consent at any time, for sessions to come.`,
  },
} as const
export type StarterName = keyof typeof starters
