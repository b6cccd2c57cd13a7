import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];
type Visitor = ReturnType<Exclude<Rule, { createOnce: unknown }>['create']>;
type Parent = Parameters<NonNullable<Visitor['JSXElement']>>[0] | Parameters<NonNullable<Visitor['JSXFragment']>>[0];
type Node = Parameters<NonNullable<Visitor['ReturnStatement']>>[0] | Parent['parent'];
type Child = Parent['children'][number];
type Expression = Extract<Child, { type: 'JSXExpressionContainer' }>['expression'];

const MESSAGE = 'This text comes, goes or changes: give it an element of its own.';

/**
 * A rule of the linter: a text that comes, goes or changes stands alone in its element.
 *
 * Chrome's page translation puts a `<font>` into the place of each text, and React does not know that. It throws where it
 * removes the text, or a fragment with it, or puts something before it; and what it writes into the text is not seen. An
 * element whose only child is a text is safe: React writes the whole element.
 */
export const textAlone: Rule = {
  create: (context) => {
    function check({ type, children }: Parent) {
      const shown = children.filter((child) => !isBlank(child));
      if (shown.length < 2) return;

      const firstConditional = shown.findIndex((child) => isConditional(expressionOf(child)));
      for (const [index, child] of shown.entries()) {
        const expression = expressionOf(child);
        const isAfter = firstConditional !== -1 && firstConditional < index;
        const isText = child.type === 'JSXText' || (expression !== undefined && outcomes(expression).some(isWords));
        if (isText && (type === 'JSXFragment' || isAfter || isConditional(expression) || mayChange(expression)))
          context.report({ node: child, message: MESSAGE });
      }
    }
    return {
      JSXElement: check,
      JSXFragment: check,
      ReturnStatement(node) {
        if (node.argument && isInComponent(node) && outcomes(node.argument).some(isWords))
          context.report({ node, message: MESSAGE });
      },
    };
  },
};

export default { meta: { name: 'pages' }, rules: { 'text-alone': textAlone } };

function expressionOf(child: Child): Expression | undefined {
  return child.type === 'JSXExpressionContainer' ? child.expression : undefined;
}

/** What a component returns may stand beside others. */
function isInComponent(node: Node): boolean {
  let owner: Node | null = node;
  while (owner && owner.type !== 'FunctionDeclaration' && owner.type !== 'ArrowFunctionExpression')
    owner = owner.parent;
  return owner?.type === 'FunctionDeclaration' && /^[A-Z]/.test(owner.id?.name ?? '');
}

/** Spaces between elements are not translated. */
function isBlank(child: Child): boolean {
  if (child.type === 'JSXText') return child.value.trim() === '';
  const expression = expressionOf(child);
  return expression?.type === 'JSXEmptyExpression' || (expression?.type === 'Literal' && !isWords(expression));
}

function isConditional(expression: Expression | undefined): boolean {
  return expression?.type === 'ConditionalExpression' || expression?.type === 'LogicalExpression';
}

/** What an expression can come to. */
function outcomes(expression: Expression): Expression[] {
  if (expression.type === 'ConditionalExpression')
    return [...outcomes(expression.consequent), ...outcomes(expression.alternate)];
  if (expression.type === 'LogicalExpression') return [...outcomes(expression.left), ...outcomes(expression.right)];
  return [expression];
}

/** Whether an expression is a text for sure: written here, or what `t` or a `format…` gives. */
function isWords(expression: Expression): boolean {
  if (expression.type === 'Literal') return typeof expression.value === 'string' && expression.value.trim() !== '';
  if (expression.type === 'CallExpression')
    return expression.callee.type === 'Identifier' && /^(?:t|format[A-Z]\w*)$/.test(expression.callee.name);
  return expression.type === 'TemplateLiteral';
}

/** Whether a text is made of something other than the name of a message. */
function mayChange(expression: Expression | undefined): boolean {
  if (expression?.type !== 'CallExpression') return expression?.type === 'TemplateLiteral';
  return expression.arguments.length !== 1 || expression.arguments[0]?.type !== 'Literal';
}
