import { toModuleInfo } from '#modules/core/extensions.ts'
import { modules } from '#modules/registry.ts'
import { everything, type Scope } from '#tenants/api-keys/scopes.ts'

/** The parts of the product that a key can be limited to. */
export const parts: { name: string; title: string }[] = [
  { name: 'account', title: 'Profile and branding' },
  ...modules
    // No key may do what an administrator may.
    .filter(({ id, permissions }) => id !== 'admin' && Object.keys(permissions).length > 0)
    .map((module) => ({ name: module.id, title: toModuleInfo(module).title })),
  { name: 'core', title: 'Search, dashboard, trash and uploads' },
]

/** The scopes of a form: for everything, or those of its fields `scope-PART`. */
export function readScopes(access: 'read' | 'write' | 'chosen', form: FormData): Scope[] {
  if (access !== 'chosen') return [`${everything}:${access}`]
  return parts.flatMap(({ name }): Scope[] => {
    const level = form.get(`scope-${name}`)
    return level === 'read' || level === 'write' ? [`${name}:${level}`] : []
  })
}

/** 'See and change everything', 'See Clients; see and change Calendar'. */
export function describeScopes(scopes: string[]): string {
  const listTitles = (level: string) =>
    scopes
      .filter((scope) => scope.endsWith(`:${level}`))
      .map((scope) => scope.slice(0, -level.length - 1))
      .map((name) => (name === everything ? 'everything' : (parts.find((part) => part.name === name)?.title ?? name)))
      .join(', ')
  const texts = [
    [listTitles('read'), 'see'],
    [listTitles('write'), 'see and change'],
  ].flatMap(([titles, verb]) => (titles ? `${verb} ${titles}` : []))
  const text = texts.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
