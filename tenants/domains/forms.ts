import { requiredLine } from '#app/lib/zod-types.ts'
import { PasswordCheck } from '../auth/forms.ts'
import { domainFields } from './fields.ts'
import { findNameProblem, normalizeHostname } from './hostname.ts'

/** The service also refuses the platform's own domains and those that belong to nobody: see `checkHostname`. */
export const DomainForm = PasswordCheck.extend({
  hostname: requiredLine(domainFields.hostname.required, 1000)
    .transform(normalizeHostname)
    .superRefine((hostname, issues) => {
      const message = findNameProblem(hostname)
      if (message) issues.addIssue({ code: 'custom', message })
    }),
})
