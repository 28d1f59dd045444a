import type { CoachAccount } from '#tenants/auth/viewer.ts'

/** The coach's name, address and tax id, one to a line. */
export function formatIssuer(
  { businessName, firstName, lastName }: Pick<CoachAccount, 'businessName' | 'firstName' | 'lastName'>,
  { legalName, address, taxId }: { legalName?: string | null; address?: string | null; taxId?: string | null },
): string {
  const name = legalName ?? businessName ?? `${firstName} ${lastName}`
  return [name, address, taxId && `Tax ID ${taxId}`].filter(Boolean).join('\n')
}
