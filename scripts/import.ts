// Adds a practice from an export, row for row: `npm run import -- FILE`.
import path from 'node:path'
import { parseArgs } from 'node:util'
import { runtime } from '#app/server/process/runtime.ts'
import { AppError } from '#app/lib/errors.ts'
import { DatabaseError } from '#db/migrate.ts'
import { importPractice, type ImportOptions } from '#modules/core/practice-export/import-practice.ts'
import { planNames } from '#tenants/accounts/plans.ts'
import { ensureSecret } from './ensure-data-dir.ts'
import { runAsOwner } from './owner-database.ts'
import { exitWithError } from './shutdown.ts'

const usage =
  'Use: npm run import -- FILE.zip [--email EMAIL] [--subdomain NAME, or none] [--plan free, pro or premium] ' +
  '[--password PASSWORD]'
const { file, options } = parseOptions()

await runAsOwner(async ({ config, ownerUrl, owner }) => {
  if (!config.secretKeys.length) config.secretKeys.push(ensureSecret(config.dataDir))
  await runtime.prepare({ ownerUrl, config })
  const platform = await runtime.open({ appUrl: ownerUrl, config: { ...config, role: 'web' } })
  try {
    const { email, plan, rows, files } = await importPractice({ owner, platform }, file, options)
    console.log(`Imported ${rows} rows and ${files} files. The practice has the plan "${plan}".`)
    console.log(
      options.password === undefined
        ? `${email} gets an email with a link to choose a password, once the product runs.`
        : `${email} can sign in with the password.`,
    )
  } catch (error) {
    if (error instanceof AppError) throw new DatabaseError(error.message)
    throw error
  } finally {
    await platform.close()
  }
})

function parseOptions(): { file: string; options: ImportOptions } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        email: { type: 'string' },
        subdomain: { type: 'string' },
        plan: { type: 'string' },
        password: { type: 'string' },
      },
    })
    const plan = planNames.find((name) => name === values.plan)
    if (positionals.length === 1 && (plan || values.plan === undefined))
      return {
        file: path.resolve(positionals[0]!),
        options: { ...values, plan, subdomain: values.subdomain === 'none' ? null : values.subdomain },
      }
  } catch {
    // Prints how to use it.
  }
  exitWithError(usage)
}
