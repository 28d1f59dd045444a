import type { DomainProblem } from './states.ts'

const problemTexts: Record<DomainProblem, string> = {
  no_proof: 'The TXT record is missing.',
  other_proof: 'The TXT record has another value than the one shown here.',
  no_address: 'The domain has no CNAME or A record yet.',
  other_address: 'The domain leads to another server: replace its CNAME or A record.',
  other_ipv6: 'The domain has an AAAA record that leads to another server: remove it.',
  no_answer: 'The DNS servers of the domain did not answer. This often passes.',
  taken: 'Another practice has proved this domain. It becomes free three days after its records were removed.',
}

/** Says what the coach can do about it. */
export const describeProblem = (problem: DomainProblem): string => problemTexts[problem]
