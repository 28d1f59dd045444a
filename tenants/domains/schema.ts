import { defineEntity, p } from '@mikro-orm/core'
import { allowedValues, check, columns, lengthChecks } from '#db/columns.ts'
import { tenantPolicy } from '#db/policies.ts'
import { domainProblems, type DomainProblem } from './states.ts'

/** The domain that a coach wants to use, one for each coach, and the result of its DNS check. */
export const CustomDomain = defineEntity({
  name: 'CustomDomain',
  tableName: 'custom_domain',
  primaryKeys: ['coachId', 'id'],
  properties: {
    ...columns.tenant,
    hostname: p.text(),
    /** The coach proves with it that DNS is theirs. */
    token: p.text(),
    /** The domain serves the coach since then; null: it doesn't, and `account.custom_domain` is null too. */
    verifiedAt: p.datetime(3).nullable(),
    /** The finding of the last check. */
    problem: p.text().$type<DomainProblem>().nullable(),
    /** Checks in a row that found the domain unproved. */
    failures: p.integer().default(0),
    checkedAt: p.datetime(3).nullable(),
    /** Null: only the coach asks for another check. */
    nextCheckAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'custom_domain_coach_key', properties: ['coachId'] }],
  checks: [
    ...lengthChecks('custom_domain', 253, ['hostname']),
    check('custom_domain_token_format', `token ~ '^[0-9a-f]{32}$'`),
    check('custom_domain_problem_allowed', allowedValues('problem', domainProblems)),
  ],
  ...tenantPolicy('custom_domain'),
})
