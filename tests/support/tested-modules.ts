import { createAppApi } from '#app/server/process/runtime.ts'
import { modules } from '#modules/registry.ts'
import type { Operation } from '#tenants/api/operation.ts'

const names = process.env.TEST_MODULES?.split(',')

/** Tests of how all modules fit together run too. */
const withPlatform = !names || names.includes('platform')

/** The modules whose generated tests run: all, or those of `npm test -- MODULE`. */
export const testedModules = modules.filter(({ id }) => withPlatform || names.includes(id))

/**
 * The API operations whose generated tests run, with a name for the test's title. Those of no module are the
 * platform's.
 */
export const testedCalls: { operation: Operation; name: string }[] = createAppApi()
  .operations.filter((operation) => {
    const owner = modules.find(({ operations = [] }) => operations.includes(operation))
    return !names || names.includes(owner?.id ?? 'platform')
  })
  .map((operation) => ({ operation, name: `${operation.method.toUpperCase()} ${operation.path}` }))

/** Whether the generated tests of a page run, by its id in app/routes.ts. */
export function isTestedRoute(routeId: string): boolean {
  return (
    !names ||
    testedModules.some(
      ({ id, recordKinds = [] }) =>
        routeId.startsWith(`${id}/`) || recordKinds.some(({ kind }) => routeId === `history/${kind}`),
    )
  )
}
