import type { PermissionName } from '../context.ts'

/**
 * A part of the product, such as `crm`, or `*` for all of them, also those of later versions, and how far: `write`
 * includes `read`.
 */
export type Scope = `${string}:${'read' | 'write'}`
export const everything = '*'

/** Whether `scopes` include a permission. */
export function allows(scopes: readonly string[], permission: PermissionName): boolean {
  const part = permission.slice(0, permission.indexOf(':'))
  const levels = permission.endsWith(':read') ? ['read', 'write'] : ['write']
  return levels.some((level) => scopes.includes(`${part}:${level}`) || scopes.includes(`${everything}:${level}`))
}

/** Whether `scopes` include changes of a whole part. */
export const allowsChanges = (scopes: readonly string[], part: string): boolean =>
  [part, everything].some((name) => scopes.includes(`${name}:write`))
