import { newModule } from './new-module/generate.ts'
import { exitWithError } from './shutdown.ts'

try {
  const [name, ...others] = process.argv.slice(2)
  if (!name || others.length) throw new Error('Name the module, for example: npm run new-module session-notes')
  newModule(name)
  console.log(`Created modules/${name}/ with the page /${name} and the API /api/${name}.`)
  console.log('Next: npm run check, then npm start. docs/modules.md explains the files.')
} catch (error) {
  exitWithError(error)
}
