import { newModule } from './new-module/generate.ts'
import { exitWithError } from './shutdown.ts'

try {
  const [name, ...others] = process.argv.slice(2)
  if (!name || others.length) throw new Error('Say one name for the module, such as: npm run new-module session-notes')
  newModule(name)
  console.log(
    `The module is in modules/${name}/ and registered: the page /${name}, the calls /api/${name}, a card on the dashboard.`,
  )
  console.log('Next: npm run check, then npm start. docs/modules.md explains each file.')
} catch (error) {
  exitWithError(error)
}
