"""Training, and what torch does around it."""

import warnings

import torch
import torch.nn.functional as F
from torch import nn


def trained(module, *inputs):
    """One step of plain gradient descent; whether every parameter got a finite gradient."""
    output = module(*inputs)
    output = output[0] if isinstance(output, tuple) else output
    output.square().mean().backward()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.sub_(0.1 * parameter.grad)
    return all(parameter.grad.isfinite().all() for parameter in module.parameters())


def improves(make_optimizer):
    """Whether ten steps of an optimizer make the loss smaller."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
    optimizer = make_optimizer(model.parameters())
    x, y = torch.randn(16, 4), torch.randn(16, 1)
    losses = []
    for _ in range(10):
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses[-1] < losses[0]


def sgd():
    return improves(lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9))


def adam():
    return improves(lambda p: torch.optim.Adam(p, lr=0.01))


def adamw():
    return improves(lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1))


def schedulers():
    model = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    cosine = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    steps = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    optimizer.step()
    cosine.step()
    steps.step()
    return optimizer.param_groups[0]["lr"] < 1


def clip_gradients():
    model = nn.Linear(2, 2)
    model(torch.ones(1, 2)).sum().backward()
    return torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1).item() > 0


def data_parallel():
    return nn.DataParallel(nn.Linear(4, 4))(torch.ones(1, 4)).shape == (1, 4)


def data_loader_with_pinned_memory():
    data = torch.utils.data.TensorDataset(torch.arange(10.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return len(list(torch.utils.data.DataLoader(data, batch_size=4, pin_memory=True))) == 3


def data_loader():
    data = torch.utils.data.TensorDataset(torch.arange(10.0), torch.arange(10))
    batches = list(torch.utils.data.DataLoader(data, batch_size=4, shuffle=True))
    return [len(x) for x, _ in batches] == [4, 4, 2]


def checkpoint():
    x, layer = torch.randn(2, 4, requires_grad=True), nn.Linear(4, 4)
    torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=False).sum().backward()
    return x.grad.isfinite().all().item()


def checkpoint_reentrant():
    x, layer = torch.randn(2, 4, requires_grad=True), nn.Linear(4, 4)
    torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=True).sum().backward()
    return x.grad.isfinite().all().item()


def compile_a_module():
    model = nn.Linear(4, 4)
    x = torch.randn(2, 4)
    return torch.equal(torch.compile(model)(x), model(x))


def compile_as_decorator():
    @torch.compile
    def double(x):
        return 2 * x

    return double(torch.ones(2)).tolist() == [2, 2]


def compile_as_decorator_with_options():
    @torch.compile(mode="max-autotune", dynamic=False)
    def double(x):
        return 2 * x

    return double(torch.ones(2)).tolist() == [2, 2]


def compile_as_a_whole():
    return torch.compile(nn.Linear(4, 4), fullgraph=True)(torch.ones(1, 4)).shape == (1, 4)


def compile_in_place():
    model = nn.Linear(4, 4)
    model.compile()
    return model(torch.ones(1, 4)).shape == (1, 4)


def script():
    model = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.script(model)(torch.ones(1, 4)).shape == (1, 4)


def trace():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.trace(nn.Linear(4, 4), torch.ones(1, 4))(torch.ones(1, 4)).shape == (1, 4)


def autocast():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = nn.Linear(4, 4).float()(torch.ones(1, 4, dtype=torch.float32))
    return found.dtype == torch.bfloat16


def functional_gradients():
    gradient = torch.func.grad(lambda x: x.pow(3).sum())
    return torch.func.vmap(gradient)(torch.ones(3, 2)).tolist() == [[3, 3]] * 3


def functional_jacobians():
    x = torch.ones(2)
    square = torch.square
    return torch.equal(torch.func.jacrev(square)(x), torch.autograd.functional.jacobian(square, x))


def gradient_check():
    return torch.autograd.gradcheck(nn.Linear(2, 2), torch.randn(1, 2, requires_grad=True))


def own_autograd_function():
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, gradient):
            return 2 * gradient

    x = torch.ones(2, requires_grad=True)
    Double.apply(x).sum().backward()
    return x.grad.tolist() == [2, 2]


def hooks():
    seen, layer = [], nn.Linear(2, 2)
    layer.register_forward_hook(lambda *_: seen.append("forward"))
    layer.register_full_backward_hook(lambda *_: seen.append("backward"))
    layer(torch.ones(1, 2, requires_grad=True)).sum().backward()
    return seen == ["forward", "backward"]


def parametrizations():
    layer = torch.nn.utils.parametrizations.weight_norm(nn.Linear(4, 4))
    return trained(torch.nn.utils.parametrizations.spectral_norm(layer), torch.randn(2, 4))


def profiler():
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as found:
        torch.ones(4) @ torch.ones(4)
    return len(found.key_averages()) > 0


def symbolic_trace():
    return len(torch.fx.symbolic_trace(nn.Sequential(nn.Linear(4, 4), nn.ReLU())).graph.nodes) == 4


def quantized():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = torch.ao.quantization.quantize_dynamic(nn.Linear(4, 4).float(), dtype=torch.qint8)
    return model(torch.ones(1, 4, dtype=torch.float32)).shape == (1, 4)
