// Prints the sign-ins of the demo practice in DATA_DIR again.
import { demoAccounts, readDemoState } from '#modules/core/demo-state.ts'
import { parseConfig } from '#tenants/config.ts'
import { exitWithError } from './shutdown.ts'

try {
  const state = readDemoState(parseConfig(process.env).dataDir)
  const accounts = demoAccounts.filter(({ which }) => state && state[which].id !== null && !state[which].closed)
  if (!state || !accounts.length) throw new Error('This installation has no demo practice.')
  for (const { which, label, email } of accounts)
    console.log(`${label.padEnd(14)}  ${email.padEnd(17)}  ${state[which].password}`)
} catch (error) {
  exitWithError(error)
}
