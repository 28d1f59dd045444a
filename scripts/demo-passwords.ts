// Prints the sign-ins of the demo practice in DATA_DIR again, with a new link of its client while the product runs.
import { demoAccounts, readDemoState } from '#modules/core/demo-state.ts'
import { hasEmbeddedDatabase, isLocalOnly, parseConfig, type Config } from '#tenants/config.ts'
import { exitWithError } from './shutdown.ts'

try {
  const config = parseConfig(process.env)
  const state = readDemoState(config.dataDir)
  const accounts = demoAccounts.filter(({ which }) => state && state[which].id !== null && !state[which].closed)
  if (!state || !accounts.length) throw new Error('This installation has no demo practice.')
  for (const { which, label, email } of accounts)
    console.log(`${label.padEnd(14)}  ${email.padEnd(17)}  ${state[which].password}`)
  const { id, closed } = state.first
  if (id !== null && !closed && (await canPrintLink(config))) {
    // Loads all modules.
    const { printDemoLink } = await import('./demo-link.ts')
    await printDemoLink(id)
  }
} catch (error) {
  exitWithError(error)
}

/**
 * The link is a sign-in, so it is for a product that only this machine reaches. It works for 15 minutes: none is made
 * while nothing serves it.
 */
async function canPrintLink(config: Config): Promise<boolean> {
  if (!hasEmbeddedDatabase(config) || !isLocalOnly(config)) return false
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return fetch(`http://${host}:${config.port}/healthz`, { signal: AbortSignal.timeout(2_500) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
