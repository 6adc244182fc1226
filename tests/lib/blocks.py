"""Formulas of many blocks, as unrolled kernels compute them, and their textbook forms.

    python3 blocks.py softmax|logsumexp|attention|mean|deviations|sum|dot N [form]
"""
import sys


def merge(n, value, more):
    """Online blocks: maximum m, sum l and, if asked for, further lines."""
    yield "let m1 = max(x1); let l1 = sum(exp(x1 - m1));"
    for k in range(2, n + 1):
        j = k - 1
        yield (f"let m{k} = max(m{j}, max(x{k})); "
               f"let l{k} = l{j}*exp(m{j} - m{k}) + sum(exp(x{k} - m{k}));")
        yield from more(j, k)
    yield value


def sums(n):
    return " + ".join(f"sum(exp(x{k}))" for k in range(1, n + 1))


def attention(n):
    yield "let o1 = matmul(exp(x1 - max(x1)), v1);"
    rest = merge(n, f"o{n}/l{n}", lambda j, k: [
        f"let o{k} = o{j}*exp(m{j} - m{k}) + matmul(exp(x{k} - m{k}), v{k});"])
    yield from rest


def mean(n):
    rows = ", ".join(f"x{k}[j{k}]" for k in range(1, n + 1))
    yield f"tensor {rows}; let n1 = size(j1); let u1 = sum[j1](x1[j1])/n1;"
    for k in range(2, n + 1):
        yield (f"let n{k} = n{k - 1} + size(j{k}); "
               f"let u{k} = u{k - 1} + (sum[j{k}](x{k}[j{k}])/size(j{k}) - u{k - 1})*size(j{k})/n{k};")
    yield f"u{n}"


def mean_form(n):
    above = " + ".join(f"sum[j{k}](x{k}[j{k}])" for k in range(1, n + 1))
    return f"({above})/({' + '.join(f'size(j{k})' for k in range(1, n + 1))})"


def deviations(n):
    """Counts, means and sums of squared deviations, as Chan merges them."""
    rows = ", ".join(f"x{k}[j{k}]" for k in range(1, n + 1))
    yield (f"tensor {rows}; let n1 = size(j1); let u1 = sum[j1](x1[j1])/n1; "
           "let s1 = sum[j1](sq(x1[j1] - u1));")
    for k in range(2, n + 1):
        yield (f"let v{k} = sum[j{k}](x{k}[j{k}])/size(j{k}); let d{k} = v{k} - u{k - 1}; "
               f"let n{k} = n{k - 1} + size(j{k}); let u{k} = u{k - 1} + d{k}*size(j{k})/n{k}; "
               f"let s{k} = s{k - 1} + sum[j{k}](sq(x{k}[j{k}] - v{k})) "
               f"+ d{k}*d{k}*n{k - 1}*size(j{k})/n{k};")
    yield f"s{n}"


def deviations_form(n):
    def over(text):
        return " + ".join(text.replace("#", str(k)) for k in range(1, n + 1))
    return (f"{over('sum[j#](sq(x#[j#]))')} - "
            f"sq({over('sum[j#](x#[j#])')})/({over('size(j#)')})")


def attention_form(n):
    above = " + ".join(f"matmul(exp(x{k}), v{k})" for k in range(1, n + 1))
    return f"({above})/({sums(n)})"


def dot(n):
    """An unrolled dot with two sums, as kernels keep them."""
    yield "let a0 = 0; let b0 = 0;"
    for k in range(n // 2):
        yield f"let a{k + 1} = a{k} + x{2 * k}*y{2 * k}; let b{k + 1} = b{k} + x{2 * k + 1}*y{2 * k + 1};"
    yield f"a{n // 2} + b{n // 2}"


def dot_form(n):
    order = [*range(0, n, 2), *range(1, n, 2)]
    return " + ".join(f"x{k}*y{k}" for k in order)


def unrolled(n):
    yield "((" + " + ".join(f"(0 + x{k})" for k in range(n)) + ")*1 + 0)/1"


KINDS = {
    "softmax": (lambda n: merge(n, f"exp(x1 - m{n})/l{n}", lambda j, k: []),
                lambda n: f"exp(x1)/({sums(n)})"),
    "logsumexp": (lambda n: merge(n, f"m{n} + log(l{n})", lambda j, k: []),
                  lambda n: f"log({sums(n)})"),
    "attention": (attention, attention_form),
    "mean": (mean, mean_form),
    "deviations": (deviations, deviations_form),
    "dot": (dot, dot_form),
    "sum": (unrolled, lambda n: " + ".join(f"x{k}" for k in range(n))),
}

formula, form = KINDS[sys.argv[1]]
n = int(sys.argv[2])
print(form(n) if len(sys.argv) > 3 else "\n".join(formula(n)))
