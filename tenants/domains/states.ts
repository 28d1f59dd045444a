/**
 * The reasons why a domain can't be used: no TXT record, only others, no address, another one, an IPv6 address that
 * leads elsewhere, no answer of DNS, another practice that has proved the same domain.
 */
export const domainProblems = [
  'no_proof',
  'other_proof',
  'no_address',
  'other_address',
  'other_ipv6',
  'no_answer',
  'taken',
] as const
export type DomainProblem = (typeof domainProblems)[number]

/**
 * `waiting` for its first proof; `connected`; `failing`: connected, but the last check found it unproved; `stopped`: it
 * was connected, until DNS did not prove it any more.
 */
export const domainStates = ['waiting', 'connected', 'failing', 'stopped'] as const
export type DomainState = (typeof domainStates)[number]
